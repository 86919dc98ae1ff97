/**
 * All localStorage keys of this site; sessionStorage has only the visit's arrival. None may be renamed:
 * browsers have values under them, and docs/specification.md promises `token`, `user`, `userEmail` and
 * `resetPasswordToken` to other programs.
 */
type StorageKey =
  | 'token'
  /** The `User` who is logged in, as JSON. */
  | 'user'
  /** Email of the current flow: verification or password reset. */
  | 'userEmail'
  | 'resetPasswordToken'
  /** When the reset token was received: milliseconds since 1970. */
  | 'resetSince'
  | 'theme'
  | 'locale'
  /** `declined` once the visitor declined another language; used by web/site/static/head.js. */
  | 'localeOffer'
  /** Referral code from the visitor's invitation link. Kept until a login, as people may register again. */
  | 'referral'
  /** Drafts of the claim form by account id, as JSON. */
  | 'claimDraft'
  /** The appeal that is being written, with its claim's id, as JSON. */
  | 'appealDraft'
  /** Keyboard shortcuts of the review screen: `on` or `off`; on if absent. */
  | 'deskKeys'

/** For browsers that block storage. Lost on reload. */
const memory = new Map<StorageKey, string>()

export function readStored(key: StorageKey): string | null {
  try {
    return memory.get(key) ?? localStorage.getItem(key)
  } catch {
    return null
  }
}

/** The stored value parsed as JSON; null without a value or if it is malformed. */
export function readStoredJson(key: StorageKey): unknown {
  try {
    return JSON.parse(readStored(key) ?? 'null')
  } catch {
    return null
  }
}

/** Stores a value, in memory if storage is blocked. */
export function store(key: StorageKey, text: string): void {
  try {
    localStorage.setItem(key, text)
    memory.delete(key)
  } catch {
    memory.set(key, text)
  }
}

export function removeStored(...keys: StorageKey[]): void {
  for (const key of keys) {
    memory.delete(key)
    try {
      localStorage.removeItem(key)
    } catch {
      // Storage is blocked, so nothing was stored.
    }
  }
}
