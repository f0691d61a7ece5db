/** Ten kills. `npm run chaos:kills` takes longer. */
import { testKills } from './shortChaos.ts'

testKills({ kills: 6, databaseKills: 2, agentKills: 2 })
