export const PRICE = { loading: 'Loading...', unknown: 'N/A' }
