// web/client/host.ts — origin of this script, which is the gateway.

/** Read at module load: `currentScript` is null later. */
const script = document.currentScript

/** The gateway's origin. Null when the script was copied into a bundle, which PCI DSS forbids anyway. */
export const HOST = script instanceof HTMLScriptElement && script.src !== '' ? new URL(script.src).origin : null
