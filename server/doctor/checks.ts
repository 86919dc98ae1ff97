import { administrators } from './checks/administrators.ts'
import { backups } from './checks/backups.ts'
import { campaignFile } from './checks/campaign-file.ts'
import { chain } from './checks/chain.ts'
import { clock } from './checks/clock.ts'
import { database } from './checks/database.ts'
import { disk } from './checks/disk.ts'
import { environment } from './checks/environment.ts'
import { journal } from './checks/journal.ts'
import { mailQueue } from './checks/mail-queue.ts'
import { mailServer } from './checks/mail-server.ts'
import { price } from './checks/price.ts'
import { publicAddress } from './checks/public-address.ts'
import { sender } from './checks/sender.ts'
import type { Check } from './subject.ts'

/** Everything that `npm run doctor` looks at. */
export const CHECKS: readonly Check[] = [
  environment,
  campaignFile,
  database,
  administrators,
  journal,
  disk,
  backups,
  mailServer,
  sender,
  mailQueue,
  publicAddress,
  clock,
  chain,
  price,
]

/** What a running program examines for an administrator in a browser, besides that browser's own request and clock. */
export const LIVE_CHECKS: readonly Check[] = [clock, chain, price, mailServer, sender]
