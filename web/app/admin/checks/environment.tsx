import { deploymentEnvironment, type ShownVariable } from '#contract/dashboard/deployment.ts'
import { ENVIRONMENT } from '#messages/dashboard-setup.js'
import { DOCS_PATH } from '#web/docs-path.ts'
import { useData } from '#web/features/api/use-data.ts'
import { QueryContent } from '../common/query-content.tsx'
import { TitledSection } from '../dashboard-screen.tsx'

/** The server's environment variables, each with its value, its meaning and what happens if it is wrong. */
export function Environment() {
  const environment = useData(deploymentEnvironment, {
    queryKey: ['deployment environment'],
    staleTime: Infinity,
  })
  return (
    <TitledSection title={ENVIRONMENT.title} className="grid grid-cols-1 gap-3">
      <p className="max-w-[60ch] text-ink-soft">
        {ENVIRONMENT.lead}{' '}
        <a href={`${DOCS_PATH}/environment`} className="text-link">
          {ENVIRONMENT.docs}
        </a>
      </p>
      <QueryContent query={environment} words={ENVIRONMENT} heights={['h-64']} className="">
        {(variables) => (
          <dl className="mt-1 border-t border-hairline">
            {variables.map(({ name, value }) => (
              <Variable key={name} name={name} value={value} />
            ))}
          </dl>
        )}
      </QueryContent>
    </TitledSection>
  )
}

function Variable({ name, value }: { name: ShownVariable; value: string | null }) {
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-1 border-b border-hairline py-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="font-mono text-sm font-semibold sm:pt-0.5">
        <code>{name}</code>
      </dt>
      <dd className="grid min-w-0 grid-cols-1 gap-1.5">
        {value === null ? (
          <p className="text-ink-soft">{ENVIRONMENT.unset}</p>
        ) : (
          <p className="font-mono text-sm wrap-anywhere">
            <bdi>{value}</bdi>
          </p>
        )}
        <p className="max-w-[60ch]">{ENVIRONMENT.what[name]}</p>
        <p className="max-w-[60ch] text-sm text-ink-soft">
          <span className="font-semibold">{ENVIRONMENT.ifWrong}</span> {ENVIRONMENT.wrong[name]}
        </p>
      </dd>
    </div>
  )
}
