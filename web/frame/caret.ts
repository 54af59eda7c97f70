// web/frame/caret.ts — shows an input in its own writing while somebody types in it, and leaves the caret where it was.

interface Writing {
  /** What to show for what stands in the input. `grows`: something was added at its end. */
  readonly show: (text: string, grows: boolean) => string
  /** Characters that count; the rest belongs to the writing. */
  readonly counts: RegExp
}

/** Keeps an input in its writing. Calls `changed` after each change, when the input shows it. */
export function keepWritten(input: HTMLInputElement, { show, counts }: Writing, changed: () => void): void {
  let before = input.value
  input.addEventListener('beforeinput', event => {
    before = input.value
    stepOverWriting(event, input, counts)
  })
  input.addEventListener('input', event => {
    // In the middle of a composition the text is not ours to change.
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

/** A key that would delete a blank or a slash deletes the digit beyond it: what the writing put there, it puts back. */
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

/** The place right after so many characters that count. */
function placeAfter(text: string, counted: number, counts: RegExp): number {
  let left = counted
  for (const [place, character] of [...text].entries()) {
    if (left === 0) return place
    if (counts.test(character)) left -= 1
  }
  return text.length
}
