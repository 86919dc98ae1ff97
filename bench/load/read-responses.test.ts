import assert from 'node:assert/strict'
import { test } from 'node:test'
import { responseReader, type ReceivedResponse } from './read-responses.ts'

const WITH_LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nhello'
const CHUNKED =
  'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n'
const RESPONSES = [
  WITH_LENGTH,
  'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n',
  `HTTP/1.1 100 Continue\r\n\r\n${CHUNKED}`,
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
]

function read(pieces: readonly Buffer[]): ReceivedResponse[] {
  const received: ReceivedResponse[] = []
  const push = responseReader((response) => received.push(response))
  for (const piece of pieces) push(piece)
  return received
}

test('reads each response of a connection, in whatever pieces the data arrives', () => {
  const data = Buffer.from(RESPONSES.join(''))
  const responses = [
    { status: 200, closesConnection: false },
    { status: 304, closesConnection: false },
    { status: 201, closesConnection: false },
    { status: 204, closesConnection: false },
    { status: 503, closesConnection: true },
  ]
  assert.deepEqual(read([data]), responses)
  for (let size = 1; size < 60; size += 1) {
    const pieces = Array.from({ length: Math.ceil(data.length / size) }, (_, index) =>
      data.subarray(index * size, (index + 1) * size),
    )
    assert.deepEqual(read(pieces), responses, `pieces of ${size} bytes`)
  }
})

test('a response without its last byte is not reported', () => {
  for (const response of [WITH_LENGTH, CHUNKED])
    assert.deepEqual(read([Buffer.from(response.slice(0, -1))]), [])
})
