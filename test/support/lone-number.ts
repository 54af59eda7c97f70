// test/support/lone-number.ts — whether a text holds a short number, such as a security code, that ids and times hold by chance.

/** Whether the digits are in the text on their own: not within an id, a time, a port, a longer number, or before "ms". */
export function holdsNumber(text: string, digits: string): boolean {
  return new RegExp(String.raw`(?<![\w.-]|[\w.]:)${digits}(?![\w.:-]| ms\b)`).test(text)
}
