// test/support/tls.ts — a self-signed certificate for localhost with its key: public test data.

/** PEM, for localhost and 127.0.0.1. */
export const TEST_CERT = pem(
  'CERTIFICATE',
  'MIIBmzCCAUGgAwIBAgIUCmlt7dNInf7m7d9kgWooB+g4m84wCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2' +
    'MTEyNzIyMDE0OVoYDzIxMjYxMTAzMjIwMTQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC' +
    'AAT76r2rEbtHctyw4MeIDyKpbQgkKgfxh0naRR2+PaV/1USXS82vc/MuD4grZHwZJijfiVaxSS7WjOU4V4eAsAzAo28wbTAdBgNV' +
    'HQ4EFgQUDC0/mS4kuDVnNtiYalsLgnzF5+4wHwYDVR0jBBgwFoAUDC0/mS4kuDVnNtiYalsLgnzF5+4wDwYDVR0TAQH/BAUwAwEB' +
    '/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIgZ47Dl3IeJaEogvQ+6LEJeZLiMYgg3NJ9BrLi' +
    'UigzpO8CIQCVURKuBRDyc3guQQ69BsIejXpH4HnaF4X0b48sSmf+sA==',
)

/** PEM of the key of `TEST_CERT`. */
export const TEST_KEY = pem(
  'PRIVATE KEY',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgs7vSwzqDyNmnvBK4R2TBRnQNR0AT5xn+WEhPFsbIL6ehRANCAAT7' +
    '6r2rEbtHctyw4MeIDyKpbQgkKgfxh0naRR2+PaV/1USXS82vc/MuD4grZHwZJijfiVaxSS7WjOU4V4eAsAzA',
)

/** PEM of another self-signed certificate, for pay.example, localhost and 127.0.0.1. */
export const OTHER_CERT = pem(
  'CERTIFICATE',
  'MIIBrDCCAVKgAwIBAgIUELQnqmsEY7CV/gyZSIZjRZfEgLMwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLcGF5LmV4YW1wbGUwIBcNMjYx' +
    'MTI5MDk1NDIwWhgPMjEyNjExMDUwOTU0MjBaMBYxFDASBgNVBAMMC3BheS5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE' +
    'w79QZ2enm4YZGOstQHnUmItIRHmpWtuOXsy7ujz85Lj3+qosJAlmshF/uIaQAo+lUIntbQyPWpMEef71jdvU2aN8MHowHQYDVR0OBBYE' +
    'FOAEmJD0MvrGIey8QsbCDt/4tgBFMB8GA1UdIwQYMBaAFOAEmJD0MvrGIey8QsbCDt/4tgBFMA8GA1UdEwEB/wQFMAMBAf8wJwYDVR0R' +
    'BCAwHoILcGF5LmV4YW1wbGWCCWxvY2FsaG9zdIcEfwAAATAKBggqhkjOPQQDAgNIADBFAiASg5g+os6F6CrJaz6ecGsr/vtQZ201qu0C' +
    'fpk9Xz7BugIhALzH9y6w9LHirLUDY5YwUhiFjNzb3IohYrjZf/0qvUnd',
)

/** PEM of the key of `OTHER_CERT`. */
export const OTHER_KEY = pem(
  'PRIVATE KEY',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNYgQvsQ93/3ukB0g35AOB0u6GjaXXEa41EXsNaLPUcuhRANCAATDv1Bn' +
    'Z6ebhhkY6y1AedSYi0hEeala245ezLu6PPzkuPf6qiwkCWayEX+4hpACj6VQie1tDI9akwR5/vWN29TZ',
)

/** Builds a PEM block from base64. */
export function pem(label: string, base64: string): Buffer {
  return Buffer.from(`-----BEGIN ${label}-----\n${base64.replace(/.{64}(?!$)/g, '$&\n')}\n-----END ${label}-----\n`)
}
