import { COPY, SHARE } from '#web/content/copy.ts'
import { ShareButton } from '#web/ui/share-button.tsx'

/** Shares the home page. */
export function ShareSite({ title, text }: { title: string; text: string }) {
  return (
    <ShareButton
      share={{ title, text, url: '/' }}
      label={SHARE.share}
      copiedLabel={SHARE.copied}
      shownFor={COPY.shownForMs}
      className="needs-script"
    />
  )
}
