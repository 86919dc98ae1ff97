import { classes } from './classes.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet'
export type ButtonSize = 'normal' | 'compact'

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-sm border text-center font-semibold ' +
  'transition-[translate,background-color,border-color,color] duration-100 active:translate-y-px ' +
  'disabled:cursor-not-allowed disabled:active:translate-y-0'

const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'border-on-accent bg-accent text-on-accent hover:bg-accent/85 ' +
    'disabled:border-outline disabled:bg-transparent disabled:text-ink-soft',
  secondary: 'border-outline bg-transparent text-ink hover:border-ink hover:bg-ink/5 disabled:text-ink-soft',
  quiet:
    'border-transparent bg-transparent text-ink underline decoration-outline underline-offset-4 ' +
    'hover:decoration-ink disabled:text-ink-soft disabled:no-underline',
}

/** A touch target needs at least 44 px. On a wide screen, a compact button may be lower. */
const SIZES: Record<ButtonSize, string> = {
  normal: 'min-h-11 py-2.5 text-base',
  compact: 'min-h-11 py-1 text-sm lg:min-h-8',
}

/** The space beside the text. A quiet button has no visible edges, so its text begins where they would be. */
const SIDE_PADDING: Record<ButtonSize, string> = { normal: 'px-5', compact: 'px-3' }

/** A button's classes, for links and other elements that look like a button. */
export function buttonStyle(
  variant: ButtonVariant = 'primary',
  size: ButtonSize = 'normal',
  className?: string,
): string {
  return classes(BASE, VARIANTS[variant], SIZES[size], variant !== 'quiet' && SIDE_PADDING[size], className)
}
