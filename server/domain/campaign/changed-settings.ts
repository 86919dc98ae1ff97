import type { CampaignFile } from '#contract/campaign-file.ts'
import { digest } from '../journal/chain.ts'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** The part of the settings that the journal seals: the amounts, and a digest of everything. */
export function sealedSettings(file: CampaignFile, slots: number) {
  const { pointsPerTask, referralReward, referralsPaid } = file.airdrop
  return { settings: digest(file), slots, pointsPerTask, referralReward, referralsPaid }
}

/** Settings whose values differ, by path, as `airdrop.tasks.0.title`. */
export function changedSettings(before: CampaignFile, after: CampaignFile) {
  const [oldLeaves, newLeaves] = [leaves(before as Json), leaves(after as Json)]
  return [...new Set([...oldLeaves.keys(), ...newLeaves.keys()])]
    .filter((path) => oldLeaves.get(path) !== newLeaves.get(path))
    .map((setting) => ({
      setting,
      before: oldLeaves.get(setting) ?? null,
      after: newLeaves.get(setting) ?? null,
    }))
}

function leaves(value: Json | undefined, path = ''): Map<string, string | number | boolean | null> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value ?? null]])
  return new Map(
    Object.entries(value).flatMap(([key, member]) => [
      ...leaves(member, path === '' ? key : `${path}.${key}`),
    ]),
  )
}
