import { useEffect, useRef } from 'react'
import { AIRDROP } from '#web/content/airdrop.ts'
import { Icon } from '#web/ui/icon.tsx'

type StepHeadingProps = { title: string; id?: string; onBack?: () => void }

/** Heading of a step with a back button. Later steps take the focus, so that screen readers announce them. */
export function StepHeading({ title, id, onBack }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isLater = onBack !== undefined
  useEffect(() => {
    if (isLater) heading.current?.focus()
  }, [isLater])
  return (
    <div className="mt-5 flex items-center gap-4">
      {onBack && (
        <button
          type="button"
          aria-label={AIRDROP.back}
          onClick={onBack}
          className="grid size-11 shrink-0 place-items-center rounded-full border border-outline hover:border-ink"
        >
          <BackArrow />
        </button>
      )}
      <h2 ref={heading} id={id} tabIndex={-1} className="text-2xl outline-none">
        {title}
      </h2>
    </div>
  )
}

const BackArrow = () => (
  <Icon className="rtl:-scale-x-100">
    <path d="M20 12H4M10 6l-6 6 6 6" />
  </Icon>
)
