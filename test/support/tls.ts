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

/** Builds a PEM block from base64. */
export function pem(label: string, base64: string): Buffer {
  return Buffer.from(`-----BEGIN ${label}-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`)
}
