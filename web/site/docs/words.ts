/** Words around the documentation. It is in English only, so they are not in the catalogue. */
export const DOCS_WORDS = {
  contents: 'Contents',
  onThisPage: 'On this page',
  pages: 'Documentation pages',
  neighbors: 'Before and after',
  previous: 'Previous',
  next: 'Next',
  search: 'Search the documentation',
  searchShort: 'Search',
  close: 'Close',
  placeholder: 'Backups, exit code 78, waiting list …',
  loading: 'Loading the index …',
  failed: 'The search could not load. The contents list every page.',
  none: 'Nothing found. Try another word.',
  hint: 'Arrow keys choose, Enter opens, Escape closes.',
  results: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  notFound: {
    title: 'This page isn’t in the documentation',
    description: 'There is no such page in the documentation.',
    text: 'It may have moved. Pick a page from the contents, or search.',
    home: 'All pages',
  },
}
