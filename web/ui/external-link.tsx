import type { ComponentProps } from 'react'

/** Opens another site in a new tab, which has no access to this one. */
export function ExternalLink({ children, ...link }: ComponentProps<'a'>) {
  return (
    <a {...link} target="_blank" rel="noopener">
      {children}
      <svg
        viewBox="0 0 12 12"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        className="ms-1.5 inline-block size-[0.65em] shrink-0 rtl:-scale-x-100"
      >
        <path d="M2.5 9.5L9.5 2.5M4 2.5h5.5V8" />
      </svg>
    </a>
  )
}
