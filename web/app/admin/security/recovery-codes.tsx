import { SECURITY } from '#messages/dashboard-security.js'
import { Button } from '#web/ui/button.tsx'
import { Copy } from '../copy.tsx'

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
        <Copy size="normal" text={codes.join('\n')} label={SECURITY.copy} />
        <Button onClick={onClose}>{SECURITY.done}</Button>
      </div>
    </div>
  )
}
