import type { CampaignFile } from '#contract/campaign-file.ts'
import { digest } from '../journal/chain.ts'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** What the journal seals of a campaign's settings: its amounts, and a digest that stands for all the rest. */
export function sealedSettings(file: CampaignFile, slots: number) {
  const { pointsPerTask, referralReward, referralsPaid } = file.airdrop
  return { settings: digest(file), slots, pointsPerTask, referralReward, referralsPaid }
}

/** Every setting of which the text differs, by its path, as `airdrop.tasks.0.title`. */
export function changedSettings(before: CampaignFile, after: CampaignFile) {
  const [old, now] = [leaves(before as Json), leaves(after as Json)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => old.get(path) !== now.get(path))
    .map((setting) => ({ setting, before: old.get(setting) ?? null, after: now.get(setting) ?? null }))
}

function leaves(value: Json | undefined, path = ''): Map<string, string | number | boolean | null> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value ?? null]])
  return new Map(
    Object.entries(value).flatMap(([key, member]) => [
      ...leaves(member, path === '' ? key : `${path}.${key}`),
    ]),
  )
}
