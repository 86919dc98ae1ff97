import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer } from './bare-server.ts'

/** The process of `startBareServer`. */
process.once('message', ({ status, headers, body }: Answer) => {
  const bytes = Buffer.from(body, 'base64')
  const own = headers.filter(
    (_, index) => !SET_BY_NODE.has(headers[index - (index % 2)]?.toLowerCase() ?? ''),
  )
  const server = createServer((_, response) => {
    response.writeHead(status, own)
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
process.once('disconnect', () => process.exit())

const SET_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
