import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Database } from '#server/platform/database/database.ts'
import { applyOverrides, readOverrides, readRevision } from './settings/overrides.ts'

/** The current campaign, whose settings change while the server runs. */
export type LiveCampaign = {
  /** The same object until a setting changes. Read it at each use, because a copy goes stale. */
  readonly campaign: CampaignFile
  /** The campaign file, without overrides. */
  readonly file: CampaignFile
  /** Applies the overrides in the database if they have changed. */
  refresh(): Promise<void>
  onChange(callback: () => void): void
}

/** Until the first {@link LiveCampaign.refresh}, `campaign` is the campaign file without overrides. */
export function createLiveCampaign(db: Database, file: CampaignFile): LiveCampaign {
  const callbacks: (() => void)[] = []
  let campaign = file
  // The revision of the applied overrides. None are applied yet: the first revision in the database is 0.
  let revision = -1
  return {
    get campaign() {
      return campaign
    },
    file,
    async refresh() {
      if ((await readRevision(db, file.id)) === revision) return
      const stored = await readOverrides(db, file.id)
      // Another refresh may have read a newer revision meanwhile.
      if (stored.revision <= revision) return
      revision = stored.revision
      campaign = applyOverrides(file, stored.overrides).campaign
      for (const callback of callbacks) callback()
    },
    onChange: (callback) => callbacks.push(callback),
  }
}

export type CampaignSource = Pick<LiveCampaign, 'campaign'>

/** Computes a value from the campaign when it is first read, and again once a setting has changed. */
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
