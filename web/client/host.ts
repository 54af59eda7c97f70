// web/client/host.ts — where this script came from: the gateway it talks to.

/** Read while the script runs first; later the browser no longer says it. */
const script = document.currentScript

/** The gateway's origin; null when the script was copied into a bundle, which PCI DSS forbids anyway. E-commerce 1.2. */
export const HOST = script instanceof HTMLScriptElement && script.src !== '' ? new URL(script.src).origin : null
