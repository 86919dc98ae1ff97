import assert from 'node:assert/strict'
import { type Config, type Env, readConfig } from '../config/config.ts'

export function configFrom(env: Env): Config {
  const config = readConfig(env)
  assert.ok(!('problems' in config), JSON.stringify(config))
  return config
}
