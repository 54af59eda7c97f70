// web/checkout/dialogue-style.ts — styles of the dialogue, as a constructed style sheet: no content security policy blocks
// it. Each rule has the specificity of one class, so a page overrides it with two.

const RULES = [
  '.connect-dialogue { padding: 0; border: 0; background: transparent; color: #16202e; max-width: min(32rem, calc(100vw - 1.5rem)); width: 100%; overflow: visible }',
  '.connect-dialogue::backdrop { background: rgb(12 20 30 / 0.6) }',
  '.connect-container { position: relative; padding: 1.75rem; border-radius: 1rem; background: #fff; color-scheme: light; font: 1rem/1.45 system-ui, sans-serif; box-shadow: 0 1.5rem 5rem rgb(0 0 0 / 0.4); max-height: calc(100vh - 2rem); overflow: auto }',
  '.connect-heading { margin: 0 3rem 1.25rem 0; font-size: 1.375rem; line-height: 1.25 }',
  '.connect-close { position: absolute; inset-block-start: 1rem; inset-inline-end: 1rem; width: 2.75rem; height: 2.75rem; min-height: 0; padding: 0; border: 0; display: grid; place-items: center; border-radius: 0.5rem; background: #eef1f4; color: inherit; font: 1.5rem/1 sans-serif; cursor: pointer }',
  '.connect-field { display: block; margin: 0 4px 1rem }',
  '.connect-field > span { display: block; margin-block-end: 0.375rem; font-size: 0.9375rem; font-weight: 500 }',
  '.connect-field > input, .connect-field > select { width: 100%; min-height: 3rem; box-sizing: border-box; padding: 0.625rem 0.875rem; border: 1px solid #7a8494; border-radius: 0.5rem; background: #fff; color: inherit; font: inherit }',
  '.connect-field > [aria-invalid=true] { border-color: #b3261e }',
  '.connect-errors { margin: 0 4px 1rem; padding: 0; list-style: none; color: #b3261e }',
  '.connect-submit { width: 100%; min-height: 3.25rem; border: 0; border-radius: 0.5rem; background: #0b6e4f; color: #fff; font: 600 1.0625rem/1 system-ui, sans-serif; cursor: pointer }',
  '.connect-submit:hover { background: #095c42 }',
  '.connect-submit:disabled { background: #47715f; cursor: progress }',
  '.connect-container :is(button, input, select):focus-visible { outline: 3px solid #0b6e4f; outline-offset: 2px }',
]

let made = false

/** Adds the style sheet to the page, once. */
export function dialogueStyle(): void {
  if (made) return
  made = true
  const sheet = new CSSStyleSheet()
  for (const rule of RULES) sheet.insertRule(rule, sheet.cssRules.length)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}
