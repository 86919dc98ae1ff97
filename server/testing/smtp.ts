import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type Letter = { from: string; to: string[]; raw: string }

/** What a mail server may do with a mail, by the recipient's local part. */
export type Manner =
  | { at: 'rcpt' | 'data'; code: number }
  /** Reads the whole mail and hangs up instead of answering. */
  | 'drop'
  /** Reads the whole mail and answers a line now and then, but never the last one. */
  | 'drip'

export type SmtpStub = {
  url: string
  /** What was taken, in the order of arrival; a dropped mail has arrived too. */
  letters: Letter[]
  /** How many connections were made. */
  connections(): number
  /** Those that are open. */
  open(): number
  /** How the server treats a recipient; it takes everything else. */
  manners: Map<string, Manner>
  /** Nobody listens any more. */
  down(): Promise<void>
  /** The same port answers again. */
  up(): Promise<void>
}

/** A real SMTP server on a free port of this machine, gone after the test. */
export async function smtpStub(t: TestContext): Promise<SmtpStub> {
  const letters: Letter[] = []
  const manners = new Map<string, Manner>()
  let made = 0
  const count = () => void (made += 1)
  let server = createServer(letters, manners, count)
  const port = await listen(server, 0)
  t.after(() => close(server))
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    manners,
    connections: () => made,
    open: () => server.connections.size,
    down: () => close(server),
    async up() {
      server = createServer(letters, manners, count)
      await listen(server, port)
    },
  }
}

type Connection = { id: string; _socket: Socket }
type Server = SMTPServer & { connections: Set<Connection> }

function createServer(letters: Letter[], manners: Map<string, Manner>, onConnection: () => void): Server {
  const options: SMTPServerOptions = {
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      onConnection()
      done()
    },
    onRcptTo(address, _session, done) {
      const manner = manners.get(address.address)
      done(typeof manner === 'object' && manner.at === 'rcpt' ? refusal(manner.code) : null)
    },
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map(({ address }) => address)
      const manner = manners.get(to[0] ?? '')
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (typeof manner === 'object') return done(refusal(manner.code))
        if (manner === 'drip') return drip(connectionOf(server, session.id))
        const from = mailFrom === false ? '' : mailFrom.address
        letters.push({ from, to, raw: Buffer.concat(chunks).toString() })
        if (manner === 'drop') server.connections.forEach((connection) => connection._socket.destroy())
        else done()
      })
    },
  }
  const server = new SMTPServer(options) as Server
  // Clients of tests hang up as they like.
  server.on('error', () => {})
  return server
}

const connectionOf = (server: Server, id: string) =>
  [...server.connections].find((one) => one.id === id)?._socket

function drip(socket: Socket | undefined) {
  const dripping = setInterval(() => socket?.write('250-a moment\r\n'), 5)
  socket?.once('close', () => clearInterval(dripping))
}

const refusal = (code: number) =>
  Object.assign(new Error(`${code} as the test wishes`), { responseCode: code })

async function listen(server: SMTPServer, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return (server.server.address() as AddressInfo).port
}

const close = (server: SMTPServer) => new Promise<void>((resolve) => server.close(() => resolve()))
