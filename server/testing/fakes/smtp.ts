import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type Letter = { from: string; to: string[]; raw: string }

/** How the stub misbehaves toward a recipient. */
export type Behavior =
  | { at: 'rcpt' | 'data'; code: number; text?: string }
  /** Reads the email, but closes the connection instead of answering. */
  | 'drop'
  /** Reads the email, but never finishes answering. */
  | 'drip'

/** A real SMTP server on a free loopback port until the test ends, by default without TLS and login. */
export async function smtpStub(t: TestContext, changes: SMTPServerOptions = {}) {
  const letters: Letter[] = []
  const behaviors = new Map<string, Behavior>()
  let connectionCount = 0
  const onConnection = () => void (connectionCount += 1)
  const create = () => createServer(letters, behaviors, onConnection, changes)
  let server = create()
  const port = await listen(server, 0)
  t.after(() => close(server))
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** The accepted emails, and those that were read and then dropped. */
    letters,
    /** What happens to mail for a recipient: at `rcpt` for any, later for the first. Others are accepted. */
    behaviors,
    countConnections: () => connectionCount,
    countOpenConnections: () => server.connections.size,
    down: () => close(server),
    async up() {
      server = create()
      await listen(server, port)
    },
  }
}

/** smtp-server's types lack its connections. */
type Connection = { id: string; _socket: Socket }
type Server = SMTPServer & { connections: Set<Connection> }

function createServer(
  letters: Letter[],
  behaviors: Map<string, Behavior>,
  onConnection: () => void,
  changes: SMTPServerOptions,
): Server {
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
      const behavior = behaviors.get(address.address)
      done(typeof behavior === 'object' && behavior.at === 'rcpt' ? refusal(behavior) : null)
    },
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map(({ address }) => address)
      const behavior = behaviors.get(to[0] ?? '')
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (typeof behavior === 'object' && behavior.at === 'data') return done(refusal(behavior))
        if (behavior === 'drip') return drip(socketOf(server, session.id))
        const from = mailFrom === false ? '' : mailFrom.address
        letters.push({ from, to, raw: Buffer.concat(chunks).toString() })
        if (behavior === 'drop') socketOf(server, session.id)?.destroy()
        else done()
      })
    },
    ...changes,
  }
  const server = new SMTPServer(options) as Server
  // Without a listener, a client that closes its connection early would end the process.
  server.on('error', () => {})
  return server
}

const socketOf = (server: Server, id: string) =>
  [...server.connections].find((connection) => connection.id === id)?._socket

function drip(socket: Socket | undefined) {
  const dripping = setInterval(() => socket?.write('250-a moment\r\n'), 5)
  socket?.once('close', () => clearInterval(dripping))
}

const refusal = ({ code, text = `${code} set by the test` }: { code: number; text?: string }) =>
  Object.assign(new Error(text), { responseCode: code })

async function listen(server: SMTPServer, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return (server.server.address() as AddressInfo).port
}

const close = (server: SMTPServer) => new Promise<void>((resolve) => server.close(() => resolve()))
