// web/console/counter/sounds.ts — plays the sounds of a terminal, if somebody has switched them on in this browser.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Noticed, notice, type Sound } from './sound.ts'
import type { Screen } from './terminal-screen.ts'

const STORED = 'tollgate-sounds'
/** Frequency in Hz and duration in milliseconds, one after the other. */
const NOTES: Readonly<Record<Sound, readonly (readonly [hertz: number, ms: number])[]>> = {
  key: [[1_200, 40]],
  card: [
    [660, 80],
    [880, 80],
  ],
  approved: [
    [660, 110],
    [880, 110],
    [1_320, 220],
  ],
  declined: [
    [330, 180],
    [220, 320],
  ],
}
/** Of 1, for all sounds. */
const VOLUME = 0.15

export interface Sounds {
  readonly isOn: boolean
  switchTo(isOn: boolean): void
  /** Plays a sound, if they are on. */
  play(sound: Sound): void
}

/** @param screen what the terminal shows; its changes are heard */
export function useSounds(screen: Screen | null): Sounds {
  const [isOn, setOn] = useState(isStored)
  const player = useMemo(createPlayer, [])
  const noticed = useRef<Noticed | null>(null)
  useEffect(() => player.close, [player])
  useEffect(() => {
    if (screen === null) return
    const next = notice(noticed.current, screen)
    noticed.current = next.noticed
    if (isOn && next.sound !== null) player.play(next.sound)
  }, [screen])
  return {
    isOn,
    switchTo(next) {
      setOn(next)
      store(next)
      // Browsers allow sounds from a press on.
      if (next) player.play('key')
    },
    play(sound) {
      if (isOn) player.play(sound)
    },
  }
}

/** The browser's audio is opened with the first sound: a page that plays none asks for none. */
function createPlayer() {
  let audio: AudioContext | null = null
  return {
    play(sound: Sound): void {
      audio ??= new AudioContext()
      // Suspended until somebody has pressed something on the page.
      void audio.resume()
      let at = audio.currentTime
      for (const [hertz, ms] of NOTES[sound]) {
        const oscillator = new OscillatorNode(audio, { frequency: hertz })
        oscillator.connect(new GainNode(audio, { gain: VOLUME })).connect(audio.destination)
        oscillator.start(at)
        at += ms / 1_000
        oscillator.stop(at)
      }
    },
    close(): void {
      void audio?.close()
    },
  }
}

function isStored(): boolean {
  try {
    return localStorage.getItem(STORED) === 'on'
  } catch {
    // The browser keeps nothing for this page.
    return false
  }
}

function store(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(STORED, 'on')
    else localStorage.removeItem(STORED)
  } catch {
    // On until the page is left.
  }
}
