import type { Events } from '#contract/events.ts'

/** The topics that screens follow. */
export type PublicTopic = Exclude<keyof Events, 'claims' | 'proofs'>

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0

/** Validates the fields that the screens use. */
const IS_VALID: Record<PublicTopic, (event: Record<string, unknown>) => boolean> = {
  heartbeat: ({ block }) => block === null || isCount(block),
  slots: ({ total, left, isPaused }) => isCount(total) && isCount(left) && typeof isPaused === 'boolean',
  leaderboard: ({ version }) => isCount(version),
}

/** Parses the data of an event; undefined if it is invalid. */
export function parseEvent<T extends PublicTopic>(topic: T, data: string): Events[T] | undefined {
  try {
    const event: unknown = JSON.parse(data)
    return IS_VALID[topic](Object(event) as Record<string, unknown>) ? (event as Events[T]) : undefined
  } catch {
    return undefined
  }
}
