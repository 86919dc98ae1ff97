/** Everything this site keeps in the browser, by the names that others may rely on. */
export type StorageKey =
  | 'token'
  | 'user'
  /** The e-mail of the verification or reset that is under way. */
  | 'userEmail'
  | 'resetPasswordToken'
  /** When that was given: milliseconds since 1970. */
  | 'resetSince'
  | 'theme'
  | 'locale'
  /** The referral code somebody arrived with. */
  | 'referral'
  | 'claimDraft'
  /** Whether the desk hears its shortcuts. */
  | 'deskKeys'

/** Where a browser closes its storage to us, a tab still remembers until it is reloaded. */
const memory = new Map<StorageKey, string>()

/** What is kept under a key; null when nothing is. */
export function stored(key: StorageKey): string | null {
  try {
    return memory.get(key) ?? localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text under a key; in a browser that blocks storage until the page is left. */
export function store(key: StorageKey, text: string): void {
  try {
    localStorage.setItem(key, text)
    memory.delete(key)
  } catch {
    memory.set(key, text)
  }
}

/** Removes what is kept under these keys. */
export function forget(...keys: StorageKey[]): void {
  for (const key of keys) {
    memory.delete(key)
    try {
      localStorage.removeItem(key)
    } catch {
      // Nothing could have been kept there.
    }
  }
}
