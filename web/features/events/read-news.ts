import type { Events } from '#contract/events.ts'

/** What anybody may follow. */
export type PublicTopic = Exclude<keyof Events, 'claims'>

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0

/** What the screens rely on. */
const HOLDS: Record<PublicTopic, (news: Record<string, unknown>) => boolean> = {
  heartbeat: ({ block }) => block === null || isCount(block),
  slots: ({ total, left }) => isCount(total) && isCount(left),
  leaderboard: ({ version }) => isCount(version),
}

/** The news in the data of an event; undefined for whatever is none. */
export function readNews<T extends PublicTopic>(topic: T, data: string): Events[T] | undefined {
  try {
    const news: unknown = JSON.parse(data)
    return HOLDS[topic](Object(news) as Record<string, unknown>) ? (news as Events[T]) : undefined
  } catch {
    return undefined
  }
}
