import { Button } from './button.tsx'

type LoadErrorProps = { text: string; retryLabel: string; onRetry: () => void; className?: string }

/** Error state: something could not be loaded (offline, server unreachable). The button tries again. */
export function LoadError({ text, retryLabel, onRetry, className = '' }: LoadErrorProps) {
  return (
    <div role="alert" className={`grid justify-items-start gap-4 ${className}`}>
      <p className="font-semibold">{text}</p>
      <Button variant="secondary" onClick={onRetry}>
        {retryLabel}
      </Button>
    </div>
  )
}
