import { Button } from './button.tsx'

type LoadFailedProps = { text: string; again: string; onAgain: () => void; className?: string }

/** Says that something could not be loaded, with a button that tries again. */
export function LoadFailed({ text, again, onAgain, className = '' }: LoadFailedProps) {
  return (
    <div role="alert" className={`grid justify-items-start gap-4 ${className}`}>
      <p className="font-semibold">{text}</p>
      <Button variant="secondary" onClick={onAgain}>
        {again}
      </Button>
    </div>
  )
}
