import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type Change,
  PREVIEW_PAGES,
  type PreviewPage,
  previewSettings,
} from '#contract/dashboard/settings.ts'
import { SETTINGS } from '#messages/dashboard-settings.js'
import { fieldsOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { Select } from '#web/ui/forms/select.tsx'
import { useDebounced } from '../ui/use-debounced.ts'

type Policy = { createHTML: (html: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: Policy) => Policy }
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/** Trusted Types forbid plain strings as documents. Only a frame that cannot run scripts uses this policy. */
const policy = trustedTypes?.createPolicy('preview', { createHTML: (html) => html })

/** A page with unsaved changes. @param props.page shown until another page is chosen in its place. */
export function Preview({ page, changes }: { page: PreviewPage; changes: readonly Change[] }) {
  const [chosen, choose] = useState<{ insteadOf: PreviewPage; page: PreviewPage }>()
  const shownPage = chosen?.insteadOf === page ? chosen.page : page
  const { data, error } = usePreview(shownPage, changes)
  const isRefused = Object.keys(fieldsOf(error)).length > 0
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)] gap-3">
      <Select
        label={SETTINGS.previewPage}
        value={shownPage}
        choices={Object.fromEntries(PREVIEW_PAGES.map((option) => [option, SETTINGS.pages[option]]))}
        onChoice={(value) => choose({ insteadOf: page, page: value as PreviewPage })}
      />
      <div className="relative h-full">
        <Frame title={SETTINGS.previewOf({ page: SETTINGS.pages[shownPage] })} html={data ?? ''} />
        {error && (
          <p
            role="status"
            className="absolute inset-x-3 top-3 rounded-sm border border-ink bg-paper p-3 font-semibold"
          >
            {isRefused ? SETTINGS.previewWaits : SETTINGS.previewFailed}
          </p>
        )}
      </div>
    </div>
  )
}

const DEBOUNCE_MS = 500

/** The HTML of a page with the changes: until it arrives, the previous HTML, and none after a failure. */
function usePreview(page: PreviewPage, changes: readonly Change[]) {
  const settledKey = useDebounced(JSON.stringify([page, changes]), DEBOUNCE_MS)
  return useQuery({
    queryKey: ['settings-preview', settledKey],
    queryFn: async () => {
      const [settledPage, settledChanges] = JSON.parse(settledKey) as [PreviewPage, Change[]]
      return (await call(previewSettings, { body: { page: settledPage, changes: settledChanges } })).data.html
    },
    placeholderData: keepPreviousData,
    // Only the latest preview is kept: each is a whole page, and every edit leads to another.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** Shows a page. The sandbox forbids its scripts, and opening its links in new tabs. */
function Frame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    if (!frame.current) return
    const { theme } = document.documentElement.dataset
    const themed = theme ? html.replace('<html ', `<html data-theme="${theme}" `) : html
    frame.current.srcdoc = policy?.createHTML(themed) ?? themed
  }, [html])
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-same-origin"
      className="h-full min-h-[32rem] w-full rounded-md border border-outline bg-paper"
    />
  )
}
