import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { previewAnnouncement } from '#contract/dashboard/announcements.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { ANNOUNCEMENTS } from '#messages/dashboard-mail.js'
import { useData } from '#web/features/api/use-data.ts'
import { LoadError } from '#web/ui/load-error.tsx'
import { Toggles } from '../ui/toolbar.tsx'
import { useDebounced } from '../ui/use-debounced.ts'

export type Content = { subject: string; text: string }
type Format = keyof typeof ANNOUNCEMENTS.previews
const DEBOUNCE_MS = 400

/** The email as it would be sent. Even `html` is built from paragraphs: the dashboard inserts no HTML. */
export function Preview({ content }: { content: Content }) {
  const [format, setFormat] = useState<Format>('html')
  const { data, isError, isFetching, refetch } = usePreview(useDebounced(content, DEBOUNCE_MS))
  // Kept during the next request, or the alert would be announced again after each pause in typing.
  const [hasFailed, setHasFailed] = useState(false)
  if (!isFetching && hasFailed !== isError) setHasFailed(isError)
  const canPreview = isComplete(content)
  return (
    <div className="grid min-w-0 content-start gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="text-lg">{ANNOUNCEMENTS.preview}</h2>
        <Toggles
          label={ANNOUNCEMENTS.previewAs}
          options={ANNOUNCEMENTS.previews}
          value={format}
          onToggle={setFormat}
        />
      </div>
      {!canPreview && <p className="text-ink-soft">{ANNOUNCEMENTS.previewEmpty}</p>}
      {canPreview && hasFailed && (
        <LoadError
          text={DASHBOARD_WORDS.failed}
          retryLabel={DASHBOARD_WORDS.again}
          onRetry={() => void refetch()}
        />
      )}
      {canPreview && !hasFailed && data && (
        <div className="grid gap-4 rounded-md border border-hairline bg-ink/5 p-4 sm:p-6">
          <p className="border-b border-hairline pb-3 font-semibold wrap-anywhere" dir="auto">
            {data.subject}
          </p>
          {format === 'text' ? (
            <pre className="font-mono text-sm whitespace-pre-wrap wrap-anywhere">{data.text}</pre>
          ) : (
            data.paragraphs.map((runs, index) => (
              // Paragraphs have no ids.
              <p key={index} className="whitespace-pre-line wrap-anywhere" dir="auto">
                {runs.map(({ text, link }, runIndex) =>
                  link === null ? (
                    text
                  ) : (
                    <span key={runIndex} title={link} className="text-link underline">
                      {text}
                    </span>
                  ),
                )}
              </p>
            ))
          )}
        </div>
      )}
    </div>
  )
}

const isComplete = ({ subject, text }: Content) => subject.trim() !== '' && text.trim() !== ''

/** The key does not begin with `MAIL_QUERY`, because changes of emails do not affect a preview. */
function usePreview(content: Content) {
  return useData(previewAnnouncement, {
    queryKey: ['announcement preview', content.subject, content.text],
    body: content,
    enabled: isComplete(content),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
}
