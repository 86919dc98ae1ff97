import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Database } from '#server/platform/database/database.ts'
import { applyOverrides, readOverrides, readRevision } from './settings/overrides.ts'

/** The current campaign, whose settings change while the server runs. */
export type LiveCampaign = {
  /** The same object until a setting changes. Read it at call time; a copy goes stale. */
  readonly campaign: CampaignFile
  /** The campaign file alone. */
  readonly file: CampaignFile
  /** Reads the overrides of the database, if they have changed. */
  refresh(): Promise<void>
  /** Calls back after each change. */
  onChange(callback: () => void): void
}

/** @param file the campaign until the first {@link LiveCampaign.refresh}. */
export function createLiveCampaign(db: Database, file: CampaignFile): LiveCampaign {
  const callbacks: (() => void)[] = []
  let campaign = file
  let revision: number | undefined
  return {
    get campaign() {
      return campaign
    },
    file,
    async refresh() {
      if (revision !== undefined && (await readRevision(db, file.id)) === revision) return
      const stored = await readOverrides(db, file.id)
      // Another refresh may have read a newer revision meanwhile.
      if (!stored || stored.revision <= (revision ?? -1)) return
      revision = stored.revision
      campaign = applyOverrides(file, stored.overrides).campaign
      for (const callback of callbacks) callback()
    },
    onChange: (callback) => callbacks.push(callback),
  }
}

export type CampaignSource = Pick<LiveCampaign, 'campaign'>

/** A function that computes a value from the campaign at its first call, and again once a setting changes. */
export function perCampaign<Value>(
  live: CampaignSource,
  compute: (campaign: CampaignFile) => Value,
): () => Value {
  let computed: { campaign: CampaignFile; value: Value } | undefined
  return () => {
    const { campaign } = live
    if (computed?.campaign !== campaign) computed = { campaign, value: compute(campaign) }
    return computed.value
  }
}
