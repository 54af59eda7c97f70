// web/frame/this-browser.ts — what 3-D Secure tells the issuer of this browser.

/** The member `browser` of a payment. Java has left browsers. */
export function thisBrowser() {
  const { accept = '' } = document.body.dataset
  return {
    ...(accept === '' ? {} : { acceptHeader: accept }),
    language: navigator.language || 'en',
    javaEnabled: false,
    colourDepth: Math.max(1, Math.min(64, screen.colorDepth)),
    screenHeight: Math.max(1, Math.round(screen.height)),
    screenWidth: Math.max(1, Math.round(screen.width)),
    timeZoneMinutes: new Date().getTimezoneOffset(),
  }
}
