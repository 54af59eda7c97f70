// src/store/sorted-list.ts — a list that is kept in order, for the indexes of the memory store. It is cut into pieces, so
// that putting in and taking out stays cheap among tens of thousands of items.

export type Order<Item> = (a: Item, b: Item) => number
/** Pieces in order, none of them empty. */
export type SortedList<Item> = Item[][]

/** Below this, moving the items behind one is about as cheap as finding it. */
const PIECE = 512

/** Puts an item where it belongs. No other item may be equal to it in order. */
export function insert<Item>(list: SortedList<Item>, item: Item, order: Order<Item>): void {
  const index = firstIndex(list, piece => order(lastOf(piece), item) > 0)
  const piece = list[index]
  if (piece === undefined) append(list, item)
  else {
    const place = firstIndex(piece, other => order(other, item) > 0)
    piece.splice(place, 0, item)
    if (piece.length > PIECE) list.splice(index + 1, 0, piece.splice(PIECE / 2))
  }
}

/** Takes out the item that is equal in order, if it is there. */
export function remove<Item>(list: SortedList<Item>, item: Item, order: Order<Item>): void {
  const index = firstIndex(list, piece => order(lastOf(piece), item) >= 0)
  const piece = list[index] ?? []
  const place = firstIndex(piece, other => order(other, item) >= 0)
  const found = piece[place]
  if (found === undefined || order(found, item) !== 0) return
  piece.splice(place, 1)
  if (piece.length === 0) list.splice(index, 1)
}

/** The items from the first one on for which `reached` holds. It must hold for all that follow, too. */
export function* ascending<Item>(
  list: SortedList<Item>,
  reached: (item: Item) => boolean = () => true,
): Generator<Item> {
  const start = firstIndex(list, piece => reached(lastOf(piece)))
  for (let index = start; index < list.length; index += 1) {
    const piece = list[index] ?? []
    yield* index === start ? piece.slice(firstIndex(piece, reached)) : piece
  }
}

/** The items before the first one for which `reached` holds, from the last to the first. */
export function* descending<Item>(list: SortedList<Item>, reached: (item: Item) => boolean): Generator<Item> {
  const start = firstIndex(list, piece => reached(lastOf(piece)))
  for (let index = Math.min(start, list.length - 1); index >= 0; index -= 1) {
    const piece = list[index] ?? []
    yield* (index === start ? piece.slice(0, firstIndex(piece, reached)) : piece).toReversed()
  }
}

/** Where the first item stands for which `reached` holds, when it holds for all after it, too; the length if for none. */
export function firstIndex<Item>(items: readonly Item[], reached: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (reached(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}

function append<Item>(list: SortedList<Item>, item: Item): void {
  const last = list.at(-1)
  if (last === undefined || last.length >= PIECE) list.push([item])
  else last.push(item)
}

function lastOf<Item>(piece: readonly Item[]): Item {
  return piece[piece.length - 1] as Item
}
