import type { ReactNode } from 'react'
import { groupedUnits } from '#web/content/units.ts'

export type Unit = { symbol: string; decimals: number }

/** An amount of base units in whole ones, grouped, with its symbol. */
export function amountText(amount: string, { symbol, decimals }: Unit): string {
  return `${groupedUnits(BigInt(amount), decimals)} ${symbol}`
}

/** Large figures with their labels. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-hairline bg-hairline lg:grid-cols-4">
      {children}
    </dl>
  )
}

/** @param props.signal marks a figure that asks for attention. */
export function Figure({
  label,
  signal = false,
  children,
}: {
  label: string
  signal?: boolean
  children: ReactNode
}) {
  return (
    <div className="grid content-start gap-1 bg-paper p-4">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd
        className={`figures text-lg font-semibold text-balance break-words sm:text-xl ${signal ? 'text-signal-text' : ''}`}
      >
        {children}
      </dd>
    </div>
  )
}

/** A part of the page with its heading. */
export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b-2 border-ink pb-2">
        <h2 className="text-xl">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** The look of a row and its cells where a table does not fit: one line a cell, each with its label. */
export const STACKED_ROW = 'max-md:grid max-md:py-2'
export const STACKED_CELL =
  'max-md:grid max-md:grid-cols-[7rem_minmax(0,1fr)] max-md:px-0 max-md:py-0.5 max-md:text-start ' +
  'max-md:before:font-text max-md:before:text-sm max-md:before:font-normal max-md:before:text-ink-soft ' +
  'max-md:before:content-[attr(data-label)]'
