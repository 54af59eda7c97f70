// src/store/sorted-list.ts — an array that is kept in order, for the indexes of the memory store.

export type Order<Item> = (a: Item, b: Item) => number

/** Puts an item where it belongs. Cheapest at the end, where most come. */
export function insert<Item>(list: Item[], item: Item, order: Order<Item>): void {
  const last = list.at(-1)
  if (last === undefined || order(last, item) < 0) list.push(item)
  else
    list.splice(
      firstIndex(list, other => order(other, item) >= 0),
      0,
      item,
    )
}

/** Takes out the item that is equal in order, if it is there. */
export function remove<Item>(list: Item[], item: Item, order: Order<Item>): void {
  const index = firstIndex(list, other => order(other, item) >= 0)
  const found = list[index]
  if (found !== undefined && order(found, item) === 0) list.splice(index, 1)
}

/** Where the first item stands for which `reached` holds, when it holds for all after it too; the length if for none. */
export function firstIndex<Item>(list: readonly Item[], reached: (item: Item) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = list[middle]
    if (item !== undefined && reached(item)) high = middle
    else low = middle + 1
  }
  return low
}
