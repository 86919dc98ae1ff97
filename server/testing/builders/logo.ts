import path from 'node:path'
import sharp from 'sharp'

/** Writes a picture that can be a logo. @returns its name in the folder. */
export async function writeLogo(folder: string): Promise<string> {
  const name = 'logo.png'
  const blue = { width: 200, height: 100, channels: 4, background: '#0a5cff' } as const
  await sharp({ create: blue }).toFile(path.join(folder, name))
  return name
}
