import { showAccount } from './account.js';
import { showConnection } from './connection.js';
import { showData } from './data.js';
import { showEngine } from './engine.js';
import { goLive } from './live.js';
import { showLogs } from './logs.js';
import { showMarket } from './market.js';
import { showModel } from './model.js';
import { showOrders } from './orders.js';
import { showPositions } from './positions.js';
import { showPrices } from './price.js';
import { view } from './state.js';
import { setText } from './table.js';
import { showTicket } from './ticket.js';
import { showTraining } from './training.js';

showConnection();
showEngine();
showAccount();
showMarket();
showPrices();
showTicket();
showPositions();
showOrders();
showData();
showModel();
showTraining();
showLogs();
view(['system'], ({ system }) => {
  if (system !== null)
    setText(document.querySelector('#version'), `${system.project_name} ${system.version}`);
});
goLive();
