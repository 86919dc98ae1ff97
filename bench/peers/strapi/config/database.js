module.exports = ({ env }) => ({
  connection: {
    client: 'postgres',
    connection: { connectionString: env('DATABASE_URL'), schema: 'strapi' },
    pool: { min: 0, max: 10 },
  },
})
