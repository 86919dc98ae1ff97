import {
  exportPeople,
  listPeople,
  PeopleFilter,
  PeopleList,
  type PersonRow,
} from '#contract/dashboard/people.ts'
import { MIN_SEARCH_LENGTH } from '#contract/protocol/parameters.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { PEOPLE } from '#messages/dashboard-people.js'
import { CARD } from '#messages/dashboard-review.js'
import { DASHBOARD_ROUTES, personPath } from '#web/dashboard-routes.ts'
import { call } from '#web/features/api/call.ts'
import { navigate, useLocation, useParam, withQuery } from '#web/features/navigation/location.ts'
import { Ago } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { EmailText } from '#web/ui/text/email-text.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { ScreenLink } from '../../screen-link.tsx'
import { DashboardScreen } from '../dashboard-screen.tsx'
import { ListFoot, usePages } from '../ui/paged-list.tsx'
import { CompactButton } from '../ui/compact-button.tsx'
import { SearchForm, toSearchParam, Toggles } from '../ui/toolbar.tsx'
import { useDownload } from '../api/use-download.ts'
import { PEOPLE_QUERY } from './person-actions.tsx'
import { AccountStamps, PersonScreen } from './person-page.tsx'

/** Which people are listed. Kept in the URL. */
type PeopleView = { filter: PeopleFilter; search: string; cluster: string }
type ChangeView = (changes: Partial<PeopleView>) => void

/** The list of people or, at a path below it, the page of one person. */
export default function People() {
  const { path } = DASHBOARD_ROUTES.people
  const { pathname } = useLocation()
  const userId = pathname.slice(path.length + 1).replace(/\/$/, '')
  return userId === '' ? <PeopleScreen /> : <PersonScreen key={userId} userId={userId} />
}

function PeopleScreen() {
  const { view, changeView } = usePeopleView()
  const list = usePeople(view)
  const rows = list.data?.entries ?? []
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.people} error={list.error}>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-2xl">{PEOPLE.title}</h1>
        <Downloads />
      </div>
      <Filters view={view} onChange={changeView} />
      {list.data?.pages.some(({ isSearchCut }) => isSearchCut) && (
        <p className="mt-3 text-sm font-semibold">{DASHBOARD_WORDS.searchCut}</p>
      )}
      <div aria-busy={list.isFetching} className="mt-4 grid gap-5">
        {list.isPending && <Loading />}
        {rows.length > 0 && <Rows rows={rows} />}
        {list.isSuccess && rows.length === 0 && <Nobody onChange={changeView} />}
        <ListFoot list={list} failed={PEOPLE.failed} />
      </div>
    </DashboardScreen>
  )
}

function usePeopleView(): { view: PeopleView; changeView: ChangeView } {
  const requested = useParam('filter')
  const view: PeopleView = {
    filter: PeopleFilter.options.find((name) => name === requested) ?? 'all',
    search: useParam('search'),
    cluster: useParam('cluster'),
  }
  const changeView: ChangeView = (changes) => {
    const { filter, search, cluster } = { ...view, ...changes }
    const params = { filter: filter === 'all' ? '' : filter, search, cluster }
    navigate(withQuery(DASHBOARD_ROUTES.people.path, params))
  }
  return { view, changeView }
}

const usePeople = ({ filter, search, cluster }: PeopleView) =>
  usePages({
    queryKey: [...PEOPLE_QUERY, 'list', filter, search, cluster],
    fetchPage: (cursor) =>
      call(listPeople, { query: { filter, search: toSearchParam(search), cluster, cursor } }),
  })

function Downloads() {
  const { isPending, variables, mutate } = useDownload()
  return (
    <div role="group" aria-label={PEOPLE.files} className="flex flex-wrap gap-2">
      {PeopleList.options.map((list) => (
        <CompactButton
          key={list}
          isPending={isPending && variables.query?.['list'] === list}
          onClick={() => mutate({ endpoint: exportPeople, query: { list }, name: `${list}.csv` })}
        >
          {PEOPLE.download[list]}
        </CompactButton>
      ))}
    </div>
  )
}

function Filters({ view, onChange }: { view: PeopleView; onChange: ChangeView }) {
  return (
    <div className="mt-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-y border-hairline py-3 text-sm">
      <SearchForm
        key={view.search}
        label={PEOPLE.searchHint}
        button={PEOPLE.search}
        value={view.search}
        onSearch={(search) => onChange({ search })}
        minLength={MIN_SEARCH_LENGTH}
        className="min-w-[min(15rem,100%)] sm:max-w-md"
      />
      <Toggles
        label={PEOPLE.filters}
        options={PEOPLE.filter}
        value={view.filter}
        onToggle={(filter) => onChange({ filter })}
      />
      {view.cluster !== '' && (
        <p className="flex w-full flex-wrap items-center gap-x-3 font-semibold">
          {PEOPLE.cluster}
          <Button size="compact" variant="quiet" onClick={() => onChange({ cluster: '' })}>
            {PEOPLE.clear}
          </Button>
        </p>
      )}
    </div>
  )
}

function Rows({ rows }: { rows: readonly PersonRow[] }) {
  return (
    <Table caption={PEOPLE.title}>
      <TableHead className="max-md:sr-only">
        <ColumnHead>{PEOPLE.person}</ColumnHead>
        <ColumnHead>{PEOPLE.claim}</ColumnHead>
        <ColumnHead isNumeric>{PEOPLE.points}</ColumnHead>
        <ColumnHead>{PEOPLE.registered}</ColumnHead>
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <PersonLine key={row._id} row={row} />
        ))}
      </TableBody>
    </Table>
  )
}

function PersonLine({ row }: { row: PersonRow }) {
  return (
    <Row className="max-md:grid max-md:grid-cols-[auto_auto_minmax(0,1fr)] max-md:gap-x-4 max-md:py-2">
      <Cell className="max-md:col-span-3 max-md:px-0 max-md:py-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <ScreenLink
            href={personPath(row._id)}
            className="inline-flex min-h-11 items-center font-semibold text-link max-md:wrap-anywhere lg:min-h-8"
          >
            <bdi>{row.state === 'deleted' ? PEOPLE.deletedName : row.username}</bdi>
          </ScreenLink>
          <AccountStamps account={row} />
        </span>
        <span className="block text-sm wrap-anywhere text-ink-soft">
          <EmailText email={row.email} />
        </span>
      </Cell>
      <Cell className={BELOW_NAME}>
        {row.claimStatus === null ? (
          <span className="text-ink-soft">{PEOPLE.noClaim}</span>
        ) : (
          CARD.status[row.claimStatus]
        )}
      </Cell>
      <Cell
        label={PEOPLE.points}
        className={classes(
          BELOW_NAME,
          'figures text-end max-md:after:ms-1 max-md:after:lowercase max-md:after:content-[attr(data-label)]',
        )}
      >
        {formatInteger(row.totalPoints)}
      </Cell>
      <Cell className={classes(BELOW_NAME, 'max-md:text-end')}>
        <Ago at={row.registeredAt} />
      </Cell>
    </Row>
  )
}

/** The cells below the name are side by side. On a phone with text at 200 %, they are below one another. */
const BELOW_NAME =
  'max-md:px-0 max-md:py-0.5 max-md:text-sm max-md:text-ink-soft ' +
  'max-[15rem]:col-span-3 max-[15rem]:text-start'

function Nobody({ onChange }: { onChange: ChangeView }) {
  return (
    <Empty pose="asleep" text={PEOPLE.nobody}>
      <Button variant="secondary" onClick={() => onChange({ filter: 'all', search: '', cluster: '' })}>
        {PEOPLE.clear}
      </Button>
    </Empty>
  )
}

function Loading() {
  return (
    <div role="status" aria-label={PEOPLE.loading} className="grid gap-3">
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} className="h-12 w-full" />
      ))}
    </div>
  )
}
