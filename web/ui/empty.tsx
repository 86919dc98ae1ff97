import type { ReactNode } from 'react'
import { Mascot, type PipPose } from './pip.tsx'

/** Empty state: a drawing, one sentence and usually a link or button. */
export function Empty({ pose, text, children }: { pose: PipPose; text: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-4 py-16 text-center">
      <Mascot pose={pose} className="h-32" />
      <p className="text-lg font-semibold">{text}</p>
      {children}
    </div>
  )
}
