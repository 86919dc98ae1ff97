import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { User } from '#contract/entities.ts'
import { login } from '#contract/accounts/sessions.ts'
import { submitProof } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { postIdAt, postLink } from '#contract/claims/x-post.ts'
import { callOrFail } from './caller.ts'

export type Person = { username: string; email: string; password: string }
/** Someone with an account and a session. `from`: their IP address. */
export type Participant = Person & { token: string; user: User; from: string }
export type Mail = { id: string; to: string; subject: string; text: string; html: string; sentAt: string }

/** No digits: emails split six digits in a name, so that they are not mistaken for a code. */
const randomLetters = (): string =>
  Array.from({ length: 16 }, () => String.fromCodePoint(97 + randomInt(26))).join('')

/** Someone without an account. The email is so long that every screen has to wrap it. */
export function newPerson(): Person {
  const name = `pip.${randomLetters()}`
  return {
    username: name,
    email: `${name}.who.has.a.long.address@mail.example`,
    password: `umbrella ${randomBytes(6).toString('hex')}`,
  }
}

/** A random IP address, so that visitors do not share rate limits. */
export function newAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
}

/** A unique proof whose post was created just now. The post's id ends with 22 random bits. */
export function newProof(): Proof {
  const handle = `p${randomLetters().slice(0, 10)}`
  return {
    wallet: `0x${randomBytes(20).toString('hex')}`,
    telegram: `@${handle}`,
    twitter: `@${handle}`,
    retweetLink: postLink(handle, postIdAt(Date.now(), randomInt(2 ** 22))),
  }
}

const readIds = new Set<string>()

/** Waits up to a minute for the next unread email. `code`: the six digits in it, or empty. */
export async function nextMail(url: string, email: string): Promise<Mail & { code: string }> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(50)) {
    const response = await fetch(`${url}/dev/mailbox.json?to=${encodeURIComponent(email)}`)
    const { data } = (await response.json()) as { data: Mail[] }
    // Oldest first: the mailbox lists the newest first.
    const mail = data.toReversed().find(({ id }) => !readIds.has(id))
    if (!mail) continue
    readIds.add(mail.id)
    return { ...mail, code: /(?<!\d)\d{6}(?!\d)/.exec(mail.text)?.[0] ?? '' }
  }
  throw new Error(`No email arrived for ${email}`)
}

export async function startSession(url: string, person: Person, from = newAddress()): Promise<Participant> {
  const { token, data } = await callOrFail(url, login, {
    body: { email: person.email, password: person.password },
    from,
  })
  return { ...person, token, user: data, from }
}

export async function submitClaim(url: string, { token, from }: Participant): Promise<Proof> {
  const proof = newProof()
  await callOrFail(url, submitProof, { body: proof, token, from })
  return proof
}
