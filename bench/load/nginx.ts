import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Lifetime } from '#server/testing/product.ts'
import { serve } from '#server/testing/fakes/http-stub.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import type { Answer } from './bare-server.ts'

const SET_BY_NGINX = new Set(['date', 'connection', 'keep-alive', 'content-length', 'content-type', 'etag'])

/**
 * Starts nginx with one worker that logs, and answers every request with this answer, from a file.
 * @returns its port; undefined if nginx is not installed or exits
 */
export async function startNginx(lifetime: Lifetime, answer: Answer): Promise<number | undefined> {
  const folder = await scratchFolder(lifetime)
  // Only to find a free port.
  const { url, port, close } = await serve()
  await close()
  await writeFile(path.join(folder, 'page'), Buffer.from(answer.body, 'base64'))
  await writeFile(path.join(folder, 'nginx.conf'), configuration(folder, port, answer))
  const child = spawn('nginx', ['-p', folder, '-c', path.join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` }, // Where Debian has nginx.
  })
  const exited = new Promise<void>((resolve) => child.once('error', () => resolve()).once('exit', resolve))
  lifetime.after(async () => {
    child.kill()
    await exited
  })
  // A child whose program is not installed also gets an exit code.
  while (child.exitCode === null && child.signalCode === null) {
    if (await answers(url)) return port
    await pause(20)
  }
  return undefined
}

function configuration(folder: string, port: number, { headers }: Answer): string {
  // Names and values alternate.
  const pairs = Array.from({ length: headers.length / 2 }, (_, index) =>
    headers.slice(2 * index, 2 * index + 2),
  )
  const added = pairs
    .filter(([name = '']) => !SET_BY_NGINX.has(name.toLowerCase()))
    .map(([name, value]) => `add_header ${name} ${JSON.stringify(value)};`)
  // If root starts nginx, its worker runs as another user, who cannot read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const type = pairs.find(([name]) => name?.toLowerCase() === 'content-type')?.[1] ?? ''
  return `
${user}
worker_processes 1;
daemon off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log ${folder}/access.log;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=10;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    default_type ${JSON.stringify(type)};
    location / { try_files /page =404; ${added.join(' ')} }
  }
}
`
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )
