import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { TestContext } from 'node:test'
import { withTimeout } from './until.ts'

type Message = { event?: string; data?: unknown; retry?: number; comment?: string }

/** Opens an event stream; closed after the test. */
export async function openStream(t: TestContext, url: string, sentHeaders: Record<string, string> = {}) {
  const request = get(url, { headers: sentHeaders })
  t.after(() => request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { statusCode: status, headers } = response
  const messages = readMessages(response)
  const next = async () => (await withTimeout(`a message of ${url}`, messages.next())).value as Message
  const skipped: Message[] = []
  const find = async (topic: string): Promise<unknown> => {
    const index = skipped.findIndex(({ event }) => event === topic)
    if (index !== -1) return skipped.splice(index, 1)[0]?.data
    for (;;) {
      const message = (await messages.next()).value as Message | undefined
      assert.ok(message, `the stream ended before ${topic}`)
      if (message.event === topic) return message.data
      skipped.push(message)
    }
  }
  /** The data of the topic's next event. Other events stay unread, because topics have no common order. */
  const hear = (topic: string): Promise<unknown> => withTimeout(`${topic} of ${url}`, find(topic))
  const drain = async () => {
    while (!(await messages.next()).done);
  }
  /** Resolves when the stream ends or breaks. Discards what it sends until then. */
  const ended = () =>
    withTimeout(
      `the end of ${url}`,
      drain().catch(() => {}),
    )
  return { status, headers, next, hear, ended, close: () => request.destroy() }
}

async function* readMessages(response: IncomingMessage): AsyncGenerator<Message> {
  let rest = ''
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) yield asMessage(block)
  }
}

function asMessage(block: string): Message {
  if (block.startsWith(':')) return { comment: block.slice(1).trim() }
  // Each line is `name: value`.
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2))) as {
    event?: string
    data?: string
    retry?: string
  }
  if (fields.retry !== undefined) return { retry: Number(fields.retry) }
  return { event: fields.event ?? '', data: JSON.parse(fields.data ?? 'null') }
}
