import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { SECURITY } from '#messages/dashboard-security.js'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'

/** Recovery codes, which are shown this once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <div className="grid gap-5">
      <p>{SECURITY.codes}</p>
      <ul className="figures grid grid-cols-2 gap-x-6 gap-y-1 rounded-sm border border-outline p-4">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton
          size="normal"
          text={codes.join('\n')}
          label={SECURITY.copy}
          copiedLabel={DASHBOARD_WORDS.copied}
          shownFor={2_000}
        />
        <Button onClick={onClose}>{SECURITY.done}</Button>
      </div>
    </div>
  )
}
