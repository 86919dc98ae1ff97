import { toast } from 'react-hot-toast/headless'
import { localizedPath } from '#contract/locales.ts'
import { INVITATION } from '#messages/invitation.js'
import { LOCALE } from '#messages/locale.js'
import { PROFILE } from '#messages/profile.js'
import { invitationPicture, ROUTES } from '#web/routes.ts'
import { copyText } from '#web/ui/clipboard.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'
import { CAMPAIGN } from '../campaign-data.ts'

export function ReferralCode({ code }: { code: string }) {
  const invitation = `${location.origin}${ROUTES.register.path}?ref=${encodeURIComponent(code)}`
  const picture = localizedPath(LOCALE, invitationPicture(code))
  async function copy() {
    if (await copyText(code)) toast.success(PROFILE.referralCopied)
  }
  return (
    <div className="mt-6">
      <p className="label">{PROFILE.referralCode}</p>
      <button
        type="button"
        dir="ltr"
        translate="no"
        onClick={() => void copy()}
        aria-describedby="referral-hint"
        className="mt-1.5 min-h-12 rounded-sm border border-dashed border-outline bg-paper px-4 py-2 figures text-lg font-bold break-all hover:border-ink"
      >
        {code}
      </button>
      <p id="referral-hint" className="mt-2 max-w-[44ch] text-sm text-ink-soft">
        {PROFILE.referralHint}
      </p>
      <img
        src={picture}
        alt={INVITATION.picture}
        width={1200}
        height={630}
        loading="lazy"
        className="mt-5 h-auto w-full max-w-sm rounded-sm border border-outline"
      />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <CopyButton text={invitation} label={PROFILE.copyInvite} copiedLabel={PROFILE.inviteCopied} />
        {/* Without a share sheet, this button would only copy the link, like the one before it. */}
        {'share' in navigator && (
          <ShareButton
            share={{ title: CAMPAIGN.name, text: CAMPAIGN.texts.airdrop, url: invitation }}
            label={PROFILE.shareInvite}
            copiedLabel={PROFILE.inviteCopied}
          />
        )}
        <a
          href={picture}
          download={`${CAMPAIGN.token.symbol}-${code}.png`}
          className="standalone-link text-sm"
        >
          {INVITATION.save}
        </a>
      </div>
    </div>
  )
}
