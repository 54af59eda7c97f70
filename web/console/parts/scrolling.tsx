// web/console/parts/scrolling.tsx — parts that scroll by themselves. They take the focus, so that the keyboard scrolls them, too.
import type { ComponentChildren } from 'preact'

/** Text with its spaces and lines. */
export function Text({ children }: { readonly children: ComponentChildren }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  return <pre tabIndex={0}>{children}</pre>
}

/** Something wider than the window. */
export function Wide({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="wide" aria-label={name} tabIndex={0}>
      {children}
    </section>
  )
}
