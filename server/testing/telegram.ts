import type { TestContext } from 'node:test'
import { createHttpClient } from '../platform/outbound/http-client.ts'
import { createTelegramLogin, type TelegramLogin } from '../domain/telegram/provider.ts'
import { serveStub } from './fakes/http-stub.ts'
import { CLIENT, createTelegramProvider, type TelegramProvider } from './fakes/telegram-provider.ts'

export type Telegram = { provider: TelegramProvider; login: TelegramLogin }

/** The Telegram login against a stub provider on a free port. */
export async function telegramLogin(t: TestContext): Promise<Telegram> {
  let issuer = ''
  const provider = await createTelegramProvider(() => issuer)
  issuer = await serveStub(t, provider.listener)
  const outbound = createHttpClient({ allow: [issuer], timeoutMs: 20_000 })
  const redirectUri = 'http://localhost:3000/profile'
  return { provider, login: createTelegramLogin(outbound, { ...CLIENT, issuer, redirectUri }) }
}

let lastId = 1_000_000

/** Makes a Telegram user, unique in this process, who confirms logins from now on. */
export function telegramUserAt({ provider }: Telegram): { id: number; username: string } {
  lastId += 1
  const person = { id: lastId, username: `person_${lastId}` }
  provider.setUser(person)
  return person
}
