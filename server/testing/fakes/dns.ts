import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

/**
 * The TXT records of each name, each as a list of strings. `nothing` is for a name with other records only;
 * `servfail` and `silence` are failures of the server. Any other name does not exist (NXDOMAIN).
 */
export type Zone = Record<string, string[][] | 'nothing' | 'servfail' | 'silence'>

const HEADER_BYTES = 12
/** The type and class of a question, which follow its name. */
const TYPE_AND_CLASS_BYTES = 4
const TXT = 16
const RESPONSE_CODES = { noError: 0, servfail: 2, nxdomain: 3 }

/** A server, closed after the test. @returns its address for a resolver, and the names it was asked for. */
export async function nameServer(t: TestContext, zone: Zone): Promise<{ address: string; asked: string[] }> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, end } = readName(query)
    asked.push(name)
    const entry = zone[name]
    if (entry !== 'silence')
      socket.send(replyTo(query, end + TYPE_AND_CLASS_BYTES, entry), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

/** The name of the only question: labels that each follow their length, up to an empty one. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let offset = HEADER_BYTES
  for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
    labels.push(query.toString('ascii', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: offset + 1 }
}

function replyTo(query: Buffer, questionEnd: number, entry: Zone[string] | undefined): Buffer {
  const records = Array.isArray(entry) ? entry : []
  const header = Buffer.alloc(HEADER_BYTES)
  // The query's id; flags: a response, recursion desired and available; one question; the number of answers.
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | responseCodeOf(entry), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...records.map(txtRecord)])
}

function responseCodeOf(entry: Zone[string] | undefined): number {
  if (entry === undefined) return RESPONSE_CODES.nxdomain
  return entry === 'servfail' ? RESPONSE_CODES.servfail : RESPONSE_CODES.noError
}

function txtRecord(pieces: readonly string[]): Buffer {
  const data = Buffer.concat(
    pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece)])),
  )
  // A pointer to the question's name; the type; class Internet; valid for 60 seconds; the length of the data.
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0)
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
