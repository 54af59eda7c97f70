// web/frame/caret.ts — formats an input while the shopper types, and keeps the caret in place.

interface Writing {
  /** Formats the text of the input. `grows`: a character was added at the end. */
  readonly show: (text: string, grows: boolean) => string
  /** Matches the characters that count; the others belong to the formatting. */
  readonly counts: RegExp
}

/** Keeps an input formatted. Calls `changed` after each change, with the formatted text in the input. */
export function formatWhileWriting(input: HTMLInputElement, { show, counts }: Writing, changed: () => void): void {
  let before = input.value
  input.addEventListener('beforeinput', event => {
    before = input.value
    stepOverWriting(event, input, counts)
  })
  input.addEventListener('input', event => {
    // Do not change the text during an input method composition.
    if (event instanceof InputEvent && event.isComposing) return
    const { value } = input
    const caret = input.selectionStart ?? value.length
    const atEnd = caret === value.length
    const shown = show(value, atEnd && value.length > before.length)
    if (shown !== value) {
      const counted = countIn(value.slice(0, caret), counts)
      input.value = shown
      const place = atEnd ? shown.length : placeAfter(shown, counted, counts)
      if (input === document.activeElement) input.setSelectionRange(place, place)
    }
    before = input.value
    changed()
  })
  input.addEventListener('compositionend', () => input.dispatchEvent(new Event('input', { bubbles: true })))
}

/** Lets a deletion at a separator delete the digit beyond it: formatting would restore the separator. */
function stepOverWriting(event: InputEvent, input: HTMLInputElement, counts: RegExp): void {
  const { selectionStart: start, selectionEnd: end, value } = input
  if (start === null || start !== end) return
  if (event.inputType === 'deleteContentBackward') {
    let place = start
    while (place > 0 && !counts.test(value.charAt(place - 1))) place -= 1
    if (place !== start && place > 0) input.setSelectionRange(place, place)
  }
  if (event.inputType === 'deleteContentForward') {
    let place = start
    while (place < value.length && !counts.test(value.charAt(place))) place += 1
    if (place !== start && place < value.length) input.setSelectionRange(place, place)
  }
}

function countIn(text: string, counts: RegExp): number {
  return [...text].filter(character => counts.test(character)).length
}

/** Position after the given number of counting characters. */
function placeAfter(text: string, counted: number, counts: RegExp): number {
  let left = counted
  for (const [place, character] of [...text].entries()) {
    if (left === 0) return place
    if (counts.test(character)) left -= 1
  }
  return text.length
}
