// src/acquirers/iso8583/built-in.ts — the dialects that come with the program, to use or to start one's own from.
import host93 from './dialects/host-93.json' with { type: 'json' }
import plain87Ascii from './dialects/plain-87-ascii.json' with { type: 'json' }
import pos87Bcd from './dialects/pos-87-bcd.json' with { type: 'json' }

/** Documents by name. The first one is the default. */
export const BUILT_IN_DIALECTS: Readonly<Record<string, unknown>> = {
  [plain87Ascii.name]: plain87Ascii,
  [pos87Bcd.name]: pos87Bcd,
  [host93.name]: host93,
}
